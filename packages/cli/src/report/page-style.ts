/** The style sheet of the page; colours only underline what words say. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #fff; --card: #f6f8fa; --line: #d0d7de; --ok: #1a7f37; --warn: #7d4e00; --bad: #b3261e; --bar: #2f7d4f; --barwarn: #b7791f; --barbad: #c0392b; --track: #d8dee4; --link: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #a3adb8; --paper: #0d1117; --card: #161b22; --line: #3d444d; --ok: #56d364; --warn: #e3b341; --bad: #ff8a80; --bar: #3fb950; --barwarn: #d29922; --barbad: #f85149; --track: #30363d; --link: #79b8ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: 0.5rem 0; } h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; border-bottom: 1px solid var(--line); } h3 { font-size: 1.05rem; margin: 0 0 0.25rem; }
a { color: var(--link); } code, .mono { font-family: ui-monospace, monospace; font-size: 0.9em; }
.soft { color: var(--soft); } .skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
.badge { font-weight: 600; } .ok { color: var(--ok); } .warning { color: var(--warn); } .error { color: var(--bad); }
ul.plain { list-style: none; margin: 0; padding: 0; } ul.tree ul { margin: 0; padding-left: 1rem; border-left: 2px solid var(--line); } ul.tree li { padding: 0.15rem 0; }
.finding { margin: 0.25rem 0; padding: 0.4rem 0.6rem; border-left: 0.25rem solid var(--warn); background: var(--card); } .finding.error { border-color: var(--bad); color: inherit; } .finding.warning { color: inherit; } .hint { display: block; color: var(--soft); }
.timeline { display: grid; grid-template-columns: minmax(7rem, 14rem) minmax(0, 1fr); gap: 0.3rem 0.75rem; align-items: center; }
.timeline > div { display: contents; } svg { display: block; width: 100%; height: 1.1rem; overflow: hidden; } svg.axis { height: 1.4rem; }
svg text { fill: var(--soft); font-size: 11px; } .track { fill: var(--track); } .span { fill: var(--bar); stroke: var(--bar); } .span.warning { fill: var(--barwarn); stroke: var(--barwarn); } .span.error { fill: var(--barbad); stroke: var(--barbad); } .now { stroke: var(--ink); stroke-width: 2; }
article { margin: 0.75rem 0; padding: 0.75rem; border: 1px solid var(--line); border-radius: 0.4rem; background: var(--card); }
dl { display: grid; grid-template-columns: minmax(6rem, 9rem) minmax(0, 1fr); gap: 0.1rem 0.75rem; margin: 0.5rem 0; } dt { color: var(--soft); } dd { margin: 0; }
ol.chain { margin: 0.25rem 0; padding-left: 1.25rem; }
@media (max-width: 30rem) { dl { grid-template-columns: minmax(0, 1fr); } dt { font-weight: 600; } .timeline { grid-template-columns: minmax(0, 1fr); gap: 0.1rem; } }
@media print { :root { --ink: #000; --soft: #444; --paper: #fff; --card: #fff; --line: #999; --ok: #000; --warn: #000; --bad: #000; --bar: #555; --barwarn: #888; --barbad: #000; --track: #ddd; --link: #000; } body { max-width: none; } article, .timeline > div { break-inside: avoid; } * { print-color-adjust: exact; } }
`;
