# Decides what the run is compared with. Fetches `origin/BRANCH` if the checkout does not have it.
set -euo pipefail

has_commit() { git rev-parse --verify --quiet "$1^{commit}" > /dev/null; }

fetch_branch() { git fetch --quiet --depth=1 origin "+refs/heads/$1:refs/remotes/origin/$1"; }

# The nearest folder with `.assay`, from the root of the repository with a slash at its end: where Assay keeps baselines.
assay_folder() {
  local folder
  folder=$(git rev-parse --show-prefix)
  local root
  root=$(git rev-parse --show-toplevel)
  while [ -n "$folder" ] && [ ! -d "$root/$folder.assay" ]; do
    folder=${folder%/}
    case $folder in
      */*) folder=${folder%/*}/ ;;
      *) folder='' ;;
    esac
  done
  echo "$folder"
}

compare_with() {
  echo "Comparing with $1."
  printf 'against=%s\n' "$1" >> "$GITHUB_OUTPUT"
}

if [ -n "$AGAINST" ]; then
  case $AGAINST in
    git:origin/*)
      ref=${AGAINST#git:}
      ref=${ref%%:*}
      # If it cannot be fetched, Assay reports the missing baseline.
      has_commit "$ref" || fetch_branch "${ref#origin/}" || true
      ;;
  esac
  compare_with "$AGAINST"
  exit
fi

if [ -z "${GITHUB_BASE_REF:-}" ]; then
  echo "No comparison: this is not a pull request. Set the input \`against\` to compare anyway."
  exit
fi

ref=origin/$GITHUB_BASE_REF
if ! has_commit "$ref" && ! fetch_branch "$GITHUB_BASE_REF"; then
  # Without it, a run that should be compared would pass without a comparison.
  echo "::error title=Assay::Cannot read the branch $GITHUB_BASE_REF, so it is unknown whether it has a baseline. Check out with \`fetch-depth: 0\`, or set the input \`against\`."
  exit 2
fi
baseline=$(assay_folder).assay/baselines/main.json
if git cat-file -e "$ref:$baseline" 2> /dev/null; then
  compare_with "git:$ref"
else
  echo "No comparison: $ref has no $baseline. To make one: assay eval && assay baseline save"
fi
