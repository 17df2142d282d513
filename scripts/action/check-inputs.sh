# Rejects inputs outside of their vocabulary before anything is installed, and names the comment and the artifact.
# These scripts run on bash 3.2 too, which macOS has.
set -euo pipefail

reject() {
  echo "::error title=Assay::$1"
  exit 2
}

for value in "$AGAINST" "$VERSION" "$NAME"; do
  case $value in
    # A line break would add lines to the outputs of a step.
    *$'\n'* | *$'\r'*) reject "The inputs \`against\`, \`version\` and \`name\` must be one line each." ;;
  esac
done
case $FAIL_ON in
  regression | failure | never) ;;
  *) reject "The input \`fail-on\` must be regression, failure or never." ;;
esac
case $AFFECTED in
  '' | true | false) ;;
  *) reject "The input \`affected\` must be true or false." ;;
esac
case $COMMENT in
  true | false) ;;
  *) reject "The input \`comment\` must be true or false." ;;
esac

if [ "${#NAME}" -gt 200 ]; then reject "The input \`name\` must not be longer than 200 characters."; fi

name=$NAME
if [ -z "$name" ]; then
  name=$GITHUB_WORKFLOW/$GITHUB_JOB
  # Jobs of a matrix have the same id, and would replace each other's comment.
  if [ "${JOB_TOTAL:-1}" -gt 1 ]; then name=$name/$JOB_INDEX; fi
fi
{
  printf 'name=%s\n' "$name"
  printf 'artifact=assay-%s\n' "$(printf '%s' "$name" | tr -c 'A-Za-z0-9._-' '-')"
} >> "$GITHUB_OUTPUT"
