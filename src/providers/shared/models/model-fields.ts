import * as z from 'zod'
import { headers } from '../http/headers.ts'

/** Fields of every provider that calls a model's API. */
export const modelFields = {
  model: z.string().min(1).describe('Name of the model.'),
  api_key: z
    .string()
    .min(1)
    .optional()
    .describe("The key, best as `${{ NAME }}`. Default: the provider's usual variable."),
  base_url: z.string().min(1).optional().describe('Where the API is, when not at its usual place.'),
  temperature: z.number().min(0).max(2).optional().describe('Sampling temperature.'),
  max_tokens: z.int().min(1).optional().describe('The most tokens of an answer.'),
  headers: headers.optional().describe('Headers added to each request.'),
  options: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "Further settings of a request: names of the service (`top_k`, `seed`) are sent as they are, unless the provider's SDK knows them; names with capitals are those of the SDK, as `reasoningEffort`. One that it does not know is an error of the attempt.",
    ),
}
