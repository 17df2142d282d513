# Ends the job with the exit code of the run.
set -euo pipefail

case $FAIL_ON:$EXIT_CODE in
  *:0) ;;
  # The run has a result: failed, incomplete, inconclusive, or nothing to run.
  never:[1345])
    echo "Exit code $EXIT_CODE does not fail the job: the input \`fail-on\` is never."
    EXIT_CODE=0
    ;;
  *:1) echo "::error title=Assay::Quality gate failed. The summary of the job has the report." ;;
  *) echo "::error title=Assay::assay eval ended with exit code $EXIT_CODE. The log of the step that runs the suites has the reason." ;;
esac
exit "$EXIT_CODE"
