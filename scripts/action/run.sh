# Runs the suites, and writes the reports and the exit code. Whatever the code is, the steps for the reports come next.
set -euo pipefail

report=$(mktemp -d "$RUNNER_TEMP/assay-report.XXXXXX")
command=("$PROGRAM" eval -o "$report/report.md" -o "$report/report.html" -o "$report/junit.xml")

if [ -n "$AGAINST" ]; then
  command+=("--against=$AGAINST")
  if [ "$AFFECTED" != false ]; then command+=(--affected); fi
  if [ "$FAIL_ON" = regression ]; then command+=(--fail-on-regression --fail-on-new-failures); fi
elif [ "$AFFECTED" = true ]; then
  echo "Running all tests: without a comparison, there is nothing to carry over."
fi

case $ARGS in
  *[![:space:]]*)
    # xargs reads quotes as a shell does, and expands nothing. The dot keeps empty words at the end.
    if ! words=$(printf '%s\n' "$ARGS" | xargs -n 1 printf '%s\n' && echo .); then
      echo "::error title=Assay::The input \`args\` has a quote without its end."
      exit 2
    fi
    while IFS= read -r word; do command+=("$word"); done < <(printf '%s' "${words%.}")
    ;;
esac

command+=(--)
while IFS= read -r path; do
  path=${path%$'\r'}
  if [ -n "$path" ]; then command+=("$path"); fi
done <<< "$PATHS"

# Texts of tests and agents in the log must not become commands of the workflow, and a program that the run starts must
# not write to the files of this step.
pause=$(node -p 'crypto.randomUUID()')
echo "::stop-commands::$pause"
code=0
env -u GITHUB_OUTPUT -u GITHUB_ENV -u GITHUB_PATH -u GITHUB_STATE -u GITHUB_STEP_SUMMARY "${command[@]}" || code=$?
printf '\n::%s::\n' "$pause"

if [ ! -s "$report/report.md" ]; then
  # The comment of an earlier run must not look like the result of this one.
  printf '### Assay: no result\n\n`assay eval` wrote no report and ended with exit code %s. The log of the job has the reason.\n' "$code" > "$report/report.md"
fi
{
  printf 'exit-code=%s\n' "$code"
  printf 'report=%s\n' "$report"
} >> "$GITHUB_OUTPUT"
