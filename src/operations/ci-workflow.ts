import { resolve } from 'node:path'
import { decodeUtf8 } from '../lib/text/unicode.ts'
import type { Host } from '../model/host.ts'
import { findRepositoryRoot } from '../model/repository-root.ts'

export type CiSystem = 'github' | 'gitlab'

/** A file that runs the suites on each change. */
export interface CiWorkflow {
  readonly path: string
  readonly text: string
  /** The file from the root of the repository, where the existing configuration has to include it. */
  readonly include?: string
}

/** The workflow for a system. It is written to the root of the repository, where the system looks for it. */
export async function ciWorkflow(system: CiSystem, folder: string, host: Host): Promise<CiWorkflow> {
  const root = await findRepositoryRoot(resolve(host.cwd, folder), host)
  if (system === 'github') return { path: resolve(root, '.github/workflows/assay.yml'), text: GITHUB }
  const path = resolve(root, '.gitlab-ci.yml')
  if (!(await isForeign(path, host))) return { path, text: GITLAB }
  return { path: resolve(root, INCLUDED), text: GITLAB, include: INCLUDED }
}

const INCLUDED = '.gitlab/assay.gitlab-ci.yml'

/** Whether a file exists that `assay init` did not write. */
async function isForeign(path: string, host: Host): Promise<boolean> {
  if (!(await host.files.stat(path))) return false
  const [mark = ''] = GITLAB.split('\n')
  return !decodeUtf8(await host.files.read(path)).text.startsWith(mark)
}

/** Values of the system reach commands in variables: a branch name in a command would run as a part of it. */
const GITHUB = `# Runs the suites with Assay, as written by \`assay init --ci github\`. Edit it as you need.
name: assay

on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read

concurrency:
  group: assay-\${{ github.ref }}
  cancel-in-progress: \${{ github.event_name == 'pull_request' }}

jobs:
  eval:
    runs-on: ubuntu-latest
    timeout-minutes: 60
    env:
      BASE: \${{ github.base_ref }}
      # The keys of your targets, from the secrets of the repository. Pull requests from forks do not get them.
      # OPENAI_API_KEY: \${{ secrets.OPENAI_API_KEY }}
      # ANTHROPIC_API_KEY: \${{ secrets.ANTHROPIC_API_KEY }}
    steps:
      - uses: actions/checkout@v4
        with:
          # The baseline is read from the branch into which the pull request is merged.
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - name: Install
        run: |
          if [ -f package-lock.json ]; then npm ci
          elif [ -f package.json ]; then npm install
          fi
      - name: Run the tests that the pull request affects
        if: github.event_name == 'pull_request'
        run: |
          if git cat-file -e "origin/$BASE:.assay/baselines/main.json"; then
            npx --yes assay eval --affected --against "git:origin/$BASE" --fail-on-regression --fail-on-new-failures -o report.md -o report.html
          else
            echo "No baseline on $BASE: running all tests"
            npx --yes assay eval -o report.md -o report.html
          fi
      # To compare pull requests with main, save a baseline and commit it:
      #   npx --yes assay baseline save
      - name: Run all tests
        if: github.event_name != 'pull_request'
        run: npx --yes assay eval -o report.md -o report.html
      - name: Show the report
        if: \${{ !cancelled() && hashFiles('report.md') != '' }}
        # A summary may have 1 MiB.
        run: head -c 1000000 report.md >> "$GITHUB_STEP_SUMMARY"
      - uses: actions/upload-artifact@v4
        if: \${{ !cancelled() }}
        with:
          name: assay-report
          path: report.html
          if-no-files-found: ignore
`

const GITLAB = `# Runs the suites with Assay, as written by \`assay init --ci gitlab\`. Edit it as you need.
#
# Add the keys of your targets, such as OPENAI_API_KEY, as masked variables: Settings > CI/CD > Variables.
assay:
  image: node:22
  timeout: 1 hour
  variables:
    # The baseline is read from the branch into which the merge request is merged.
    GIT_DEPTH: "0"
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
    - |
      if [ -f package-lock.json ]; then npm ci
      elif [ -f package.json ]; then npm install
      fi
    # To compare merge requests with the default branch, save a baseline and commit it:
    #   npx --yes assay baseline save
    - |
      BASE=$CI_MERGE_REQUEST_TARGET_BRANCH_NAME
      if [ -n "$BASE" ]; then git fetch --quiet origin "+refs/heads/$BASE:refs/remotes/origin/$BASE"; fi
      if [ -n "$BASE" ] && git cat-file -e "origin/$BASE:.assay/baselines/main.json"; then
        npx --yes assay eval --affected --against "git:origin/$BASE" --fail-on-regression --fail-on-new-failures -o report.html -o junit.xml
      else
        npx --yes assay eval -o report.html -o junit.xml
      fi
  artifacts:
    when: always
    paths: [report.html]
    reports:
      junit: junit.xml
`
