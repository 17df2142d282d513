/** The style of the page, for light and dark screens of any width. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #101317);
  --raised: light-dark(#ffffff, #181c22);
  --line: light-dark(#dfe3e8, #2b313a);
  --ink: light-dark(#16191d, #e9ecef);
  --faint: light-dark(#59626d, #a3acb8);
  --good: light-dark(#146c43, #6fd3a0);
  --bad: light-dark(#b42318, #ff9c92);
  --open: light-dark(#855000, #eebb62);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 64rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.15rem; margin-top: 0; }
section { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: 1rem 0; }
.note { color: var(--faint); margin: 0.25rem 0; }
.gate { font-weight: 600; }
.good, .better, .equivalent { color: var(--good); }
.error, .worse { color: var(--bad); }
.warning, .inconclusive { color: var(--open); }
table { border-collapse: collapse; width: 100%; margin: 0.75rem 0; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 0.35rem 0.5rem; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { color: var(--faint); font-weight: 500; }
details { margin: 0.5rem 0; }
summary { cursor: pointer; }
@media (max-width: 40rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr, tbody th, td { display: block; }
  tr { border-bottom: 1px solid var(--line); padding: 0.5rem 0; }
  tbody th, td { border: 0; padding: 0.1rem 0; }
  td::before { content: attr(data-label) ": "; color: var(--faint); }
}
`
