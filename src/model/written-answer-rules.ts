/** What the JSON Schema of a call says besides its keys: one name, and its arguments once. */
export const CALL_RULES = {
  anyOf: [
    { required: ['tool'], properties: { tool: { type: 'string', minLength: 1 } } },
    { required: ['function'], properties: { function: { type: 'object' } } },
  ],
  allOf: [
    { not: { required: ['input', 'args'] } },
    ...['input', 'args'].map(key => ({
      not: { required: [key, 'function'], properties: { function: { type: 'object', required: ['arguments'] } } },
    })),
  ],
}

/** What the JSON Schema of an answer says besides its keys: one part is the answer, and calls are in one place. */
export const ANSWER_RULES = {
  anyOf: ['text', 'output', 'output_messages', 'tool_calls', 'error'].map(key => ({
    required: [key],
    properties: { [key]: { not: { type: 'null' } } },
  })),
  allOf: ['output', 'output_messages'].map(key => ({
    not: {
      required: [key, 'tool_calls'],
      properties: { [key]: { type: 'array' }, tool_calls: { type: 'array', minItems: 1 } },
    },
  })),
}
