import { type CodeEntry, meaning, warning } from './code-entry.ts'

/** The diagnostics of `assay skill check`. */
export const SKILL_CODES = {
  'no-frontmatter': meaning(
    'A SKILL.md does not begin with frontmatter, so agents know neither its name nor when to use it.',
    'Begin the file with a line `---`, then `name` and `description`, then another line `---`.',
  ),
  'skill-name': meaning(
    'The name of a skill breaks the rules of the Agent Skills specification: 1 to 64 lowercase letters, digits and single hyphens, none of them at an end, and equal to the name of its folder.',
    'Correct the name, or rename the folder.',
  ),
  'unknown-skill-key': warning(
    'The frontmatter of a skill has a key that is neither part of the Agent Skills specification nor known from an agent. Agents ignore it.',
    'Correct the spelling, or move your own keys into `metadata`.',
  ),
  'not-portable': warning(
    'A skill is valid, but some agents or tools refuse it: a reserved word in its name, a letter outside of ASCII in its name, or a tag in its description.',
    'Change the name or the description if the skill should work everywhere.',
  ),
  'vague-description': warning(
    'The description of a skill does not say when to use it. Agents decide from the description alone.',
    'Add the tasks, files or words of users that call for the skill: "Use when …".',
  ),
  'similar-skills': warning(
    'The descriptions of two skills in the same place share most of their words, so an agent may choose the wrong one.',
    'Say in each description what sets it apart, or merge the skills. `assay eval` with a trigger set shows which one is used.',
  ),
  'long-skill': warning(
    'A SKILL.md, or a file that it refers to, is longer than agents load well. The specification recommends less than 500 lines and 5,000 tokens for SKILL.md.',
    'Move details into files in `references/` that are read only if they are needed, and split those that are too long to read at once.',
  ),
  'nested-reference': warning(
    'A file of a skill is mentioned only in another file that SKILL.md refers to. Agents may never see it.',
    'Refer to it in SKILL.md, and say when to read it.',
  ),
  'no-evals': warning(
    'A skill has no evals in its folder, beside the `skills` folder or in the `evals` folder of its plugin, so no test shows that it is used and that it helps.',
    'Add `evals/evals.json`, a trigger set, an EVAL.yaml, or cases of plugin evals.',
  ),
} as const satisfies Record<string, CodeEntry>
