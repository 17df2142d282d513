import fc from 'fast-check'

// The same examples on every machine: a test that fails, fails again.
fc.configureGlobal({ seed: 1_234_567 })

// Runs of tests do not come from the CI job that runs the tests.
const OF_CI =
  /^(GITHUB_(SHA|REF_NAME|HEAD_REF|RUN_ID)|CI_COMMIT_\w+|CI_JOB_URL|GIT_(COMMIT|BRANCH)|BRANCH_NAME|\w*BUILD_URL)$/
for (const name of Object.keys(process.env)) if (OF_CI.test(name)) delete process.env[name]

// On some machines it adds 60 ms to each of the thousands of programs that tests start. They only talk to this machine.
delete process.env['NODE_EXTRA_CA_CERTS']
