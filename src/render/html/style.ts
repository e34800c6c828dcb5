/** The one style of the page. Colours are named by meaning, and say nothing that no word says. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #f3f5f8; --card: #ffffff; --ink: #1b2330; --dim: #566274; --line: #d9dfe7; --code: #f3f5f8;
  --bar: #7f9cc4; --idle: #b9c4d3; --harm: #c0302a; --risk: #b35c00; --good: #1b7a48; --plain: #3568a8;
  --c1: #d3e0f2; --c2: #a3bfe3; --c3: #6c95cc; --c4: #3568a8;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #0e131a; --card: #161d27; --ink: #e2e8f0; --dim: #98a5b7; --line: #2b3646; --code: #0e131a;
    --bar: #5d83b8; --idle: #55647a; --harm: #ff7d72; --risk: #f2a94a; --good: #62cf95; --plain: #83b3ec;
    --c1: #22344d; --c2: #2f5180; --c3: #4a7ab8; --c4: #83b3ec;
  }
}
* { box-sizing: border-box; }
html { background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
body { margin: 0; }
main { max-width: 1120px; margin: 0 auto; padding: 24px 20px 64px; }
article + article { margin-top: 64px; }
article.hot { --tone: var(--harm); } article.warn { --tone: var(--risk); }
article.good { --tone: var(--good); } article.strong { --tone: var(--plain); }
h1, h2, h3, p, ul, ol, dl, dd, pre { margin: 0; }
h1, h2, h3, p, li, dd, dt, td, th, code, caption, summary { overflow-wrap: anywhere; }
h1 { font-size: 26px; line-height: 1.25; }
h1 span, .where, .when, .legend, caption { color: var(--dim); font-weight: 400; }
h2 { font-size: 18px; margin-bottom: 12px; }
h3 { font-size: 15px; margin: 16px 0 4px; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 16px; margin-bottom: 16px; }
header .where { width: 100%; }
header .when { margin-left: auto; }
header .note { width: 100%; color: var(--dim); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 20px 24px; margin-top: 16px; }
section > * + * { margin-top: 12px; }
ul, ol { padding-left: 20px; }
li + li { margin-top: 4px; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 8px 24px; margin-bottom: 24px; }
a { color: var(--plain); }
code, pre, .matrix th, .matrix td, tbody th { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 13px; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: 10px 12px; margin-top: 6px; white-space: pre-wrap; }
.word { color: var(--dim); font-size: 13px; white-space: nowrap; }
.word.hot, .word.warn, .word.good { font-weight: 600; }
.word.hot { color: var(--harm); } .word.warn, .bad { color: var(--risk); } .word.good { color: var(--good); }

.verdict { border-top: 6px solid var(--tone); }
.state { display: flex; align-items: baseline; justify-content: space-between; gap: 16px; }
.state strong { color: var(--tone); font-size: 15px; letter-spacing: .08em; }
.summary { font-size: 22px; line-height: 1.3; font-weight: 600; }
.verdict > .summary { margin-top: 2px; }
.figures { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 40px; color: var(--dim); }
.figures strong { font-size: 26px; color: var(--ink); font-variant-numeric: tabular-nums; margin-right: 4px; }
.figures li { margin: 0; }
.strip svg { display: block; width: 100%; height: 110px; border-bottom: 1px solid var(--line); }
.legend { font-size: 13px; margin-top: 4px; }
.legend.ends { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; }
.bar { fill: var(--bar); }
.bar.idle { fill: var(--idle); }
.bar.hot { fill: var(--tone); }
.bar.trouble { stroke: var(--risk); stroke-width: 2; vector-effect: non-scaling-stroke; }
.bar.unseen { fill: var(--line); }
.fair { fill: none; stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 5 3; vector-effect: non-scaling-stroke; }
.load .fair { stroke-dasharray: none; }

dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 20px; }
dt { color: var(--dim); grid-column: 1; max-width: 14em; }
dd { grid-column: 2; }
.headline { border-top: 1px solid var(--line); padding-top: 12px; }
.warnings { border-left: 4px solid var(--risk); padding-left: 16px; }
.warnings h2 { font-size: 15px; margin-bottom: 4px; }
.entry + .entry { border-top: 1px solid var(--line); padding-top: 4px; margin-top: 16px; }
.entry .facts { margin-top: 6px; font-size: 14px; }
.strategy { font-size: 16px; }
.relief p { margin-top: 2px; }
details { border-top: 1px solid var(--line); padding-top: 8px; }
summary { cursor: pointer; color: var(--dim); }
details > * + * { margin-top: 10px; }

table { width: 100%; border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-size: 13px; padding-bottom: 6px; }
table:not(.matrix) caption { position: absolute; width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); }
th, td { text-align: left; font-weight: 400; vertical-align: middle; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
td.right + td.left, th.right + th.left { padding-left: 10px; }
thead th { color: var(--dim); font-size: 11px; letter-spacing: .04em; vertical-align: bottom; overflow-wrap: normal; }
th.right, td.right { text-align: right; white-space: nowrap; }
tr.idle, tr.idle th { color: var(--dim); }
tr.hot th, tr.chosen th, tr.chosen td { font-weight: 700; }
.load { display: block; width: 100%; min-width: 110px; height: 12px; }
.matrix { table-layout: fixed; }
.matrix td, .matrix .pod { text-align: center; padding: 4px 2px; border: 1px solid var(--card); overflow-wrap: normal; }
.matrix .pod { vertical-align: bottom; letter-spacing: 0; }
.matrix th:first-child { width: 30%; }
.matrix th .word { display: block; font: 12px/1.4 system-ui, sans-serif; white-space: normal; }
.matrix svg { display: block; width: 100%; height: 26px; background: var(--code); }
td.c0 { color: var(--dim); background: var(--code); }
.c1 { background: var(--c1); fill: var(--c1); } .c2 { background: var(--c2); fill: var(--c2); }
.c3 { background: var(--c3); fill: var(--c3); } .c4 { background: var(--c4); fill: var(--c4); }
td.c3, td.c4 { color: var(--card); font-weight: 700; }

.past svg { display: block; width: 100%; height: 90px; border-bottom: 1px solid var(--line); margin-top: 6px; }
.area { fill: var(--c1); } .used, .there, .event { fill: none; vector-effect: non-scaling-stroke; stroke-width: 2; stroke: var(--plain); }
.there { stroke: var(--dim); stroke-width: 1.5; } .event { stroke: var(--risk); stroke-dasharray: 2 3; }
.timeline { list-style: none; padding: 0; }
.timeline li { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 20px; }
.timeline time { color: var(--dim); font-variant-numeric: tabular-nums; }

@media screen and (max-width: 760px) {
  main { padding: 12px 10px 48px; }
  section { padding: 14px; border-radius: 8px; }
  h1 { font-size: 22px; } .summary { font-size: 19px; }
  .figures { gap: 0 24px; } .figures strong { font-size: 22px; }
  header .when { margin-left: 0; }
  dl { display: block; }
  dt { max-width: none; font-size: 13px; margin-top: 8px; }
  .timeline li { display: block; }
  table:not(.matrix) thead { display: none; }
  table:not(.matrix), table:not(.matrix) > * { display: block; }
  table:not(.matrix) tr { display: flex; flex-wrap: wrap; gap: 2px 14px; padding: 8px 0; border-bottom: 1px solid var(--line); }
  table:not(.matrix) :is(th, td) { display: block; padding: 0; border: 0; text-align: left; white-space: normal; min-width: 0; }
  table:not(.matrix) tbody th { width: 100%; }
  table:not(.matrix) td.right + td.left { padding: 0; }
  table:not(.matrix) tr.idle td:has(svg) { display: none; }
  table:not(.matrix) td::before { content: attr(data-head) " "; color: var(--dim); font-size: 11px; }
  table:not(.matrix) td:has(svg) { width: 100%; }
  table:not(.matrix) td:has(svg)::before { content: none; }
  .matrix .pod span { writing-mode: vertical-rl; }
  .matrix tr { display: flex; flex-wrap: wrap; align-items: stretch; margin-top: 8px; }
  .matrix thead th:first-child { display: none; }
  .matrix tbody th { width: 100%; }
  .matrix { table-layout: fixed; }
.matrix td, .matrix .pod { flex: 1 1 0; min-width: 0; }
}
@media print {
  :root { color-scheme: light; }
  html { font-size: 12px; background: #fff; }
  table, code, pre, tbody th, .matrix :is(th, td) { font-size: 10px; }
  .facts, .legend, .word, caption, h3, h3 code, .strategy { font-size: inherit; }
  thead th { font-size: 8px; }
  th, td { padding-right: 5px; }
  .load { min-width: 70px; }
  .summary { font-size: 18px; }
  main { max-width: none; padding: 0; }
  section { border-radius: 0; padding: 8px 0; border-width: 1px 0 0; }
  .verdict { border-top-width: 6px; }
  tr, li, .entry, .strip, .past, .relief { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  svg, td, pre, .verdict { print-color-adjust: exact; }
  summary { list-style: none; }
  ::details-content { content-visibility: visible; block-size: auto; }
}
`;

/** What the policy of the page names it by; a test holds that it is its SHA-256. */
export const styleHash = 'sha256-MnM2+lRSX6h4P5nFxh64QcQwBQV/7x3y2ZlNKk2f9Go=';
