/**
 * Colours tell labels apart (blue and vermilion: Okabe and Ito's pair that the colour-blind can tell), forms tell sides apart
 * (hollow and dashed in force, filled and solid the candidate). Text has a contrast of 4.5 and more on its ground, marks of 3.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f5f6f8; --paper: #fff; --ink: #1a2230; --soft: #525c6c; --line: #d7dbe2; --strong-line: #808a99;
  --good: #0b66ad; --bad: #bd4808; --unlabelled: #6f7887; --candidate: #5538c8; --base: #525c6c;
  --mark: #fff2c9; --mistake: #fdf0e8; --note: #fff8e1; --note-line: #c99a1b; --teach: #eaf3fb; --teach-line: #0b66ad;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #12151a; --paper: #1a1f27; --ink: #e7eaf0; --soft: #a9b2c0; --line: #343c48; --strong-line: #7d8796;
    --good: #67b5f5; --bad: #f59455; --unlabelled: #98a2b1; --candidate: #b5a3ff; --base: #a9b2c0;
    --mark: #453a12; --mistake: #3a2417; --note: #2f2810; --note-line: #c99a1b; --teach: #14283a; --teach-line: #67b5f5;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 3.5rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; font-variant-numeric: tabular-nums; }
main, footer, nav ul { max-width: 76rem; margin: 0 auto; padding: 0 1rem; }
nav { position: sticky; top: 0; z-index: 1; background: var(--paper); border-bottom: 1px solid var(--line); }
nav ul { display: flex; gap: .25rem 1.1rem; overflow-x: auto; list-style: none; }
nav a { display: block; padding: .65rem 0; color: var(--soft); text-decoration: none; white-space: nowrap; font-size: .875rem; }
nav a:hover { color: var(--ink); text-decoration: underline; }
:focus-visible { outline: 2px solid var(--candidate); outline-offset: 2px; }
header { padding-top: 1.75rem; }
.kind { margin: 0; color: var(--soft); font-size: .875rem; }
h1 { margin: 0; font-size: clamp(1.5rem, 4vw, 2.1rem); line-height: 1.2; overflow-wrap: anywhere; }
h1 code { font-size: .9em; }
h2 { margin: 0 0 .75rem; font-size: 1.3rem; line-height: 1.25; }
h3 { margin: 1.5rem 0 .25rem; font-size: 1.05rem; }
section { margin-top: 1.25rem; padding: 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; }
.lead { margin: .5rem 0 1.1rem; font-size: 1.1rem; max-width: none; }
p { margin: .5rem 0; max-width: 54rem; }
small, .hint { color: var(--soft); font-size: .8125rem; }
code, .hash { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .92em; overflow-wrap: anywhere; }
.hash { color: var(--soft); }
footer { padding: 1.5rem 1rem 2.5rem; color: var(--soft); font-size: .8125rem; }
.tiles { display: grid; grid-template-columns: repeat(3, 1fr); gap: .9rem; margin: 0; padding: 0; list-style: none; }
.tiles li { padding: .9rem 1.1rem; background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; }
.tiles small { display: block; }
.big { display: block; font-size: 1.9rem; line-height: 1.15; }
.note, .teach { margin: .9rem 0; padding: .8rem 1.1rem; border: 1px solid var(--note-line); border-left-width: .35rem; border-radius: .4rem; background: var(--note); }
.teach { border-color: var(--teach-line); background: var(--teach); }
a { color: inherit; }
.lack { color: var(--soft); }
.policies { display: grid; gap: .4rem; margin: .9rem 0 0; padding: 0; list-style: none; }
.policies li { padding: .5rem .9rem; background: var(--paper); border: 1px solid var(--line); border-left: .35rem solid var(--good); border-radius: .4rem; overflow-wrap: anywhere; }
.policies .breached { border-left-color: var(--bad); background: var(--mistake); }
.note h2, .teach h2 { margin: 0; font-size: 1rem; }
.note ul { margin: .3rem 0 0; padding-left: 1.1rem; max-width: 60rem; }
.note li { overflow-wrap: anywhere; }
.facts, .words { margin: 0; }
.facts > div, .words > div { display: grid; grid-template-columns: 9rem 1fr; gap: 0 1rem; padding: .3rem 0; border-top: 1px solid var(--line); }
.facts > div:first-child, .words > div:first-child { border-top: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.columns { display: grid; gap: 1.25rem; }
.two { grid-template-columns: repeat(2, minmax(0, 1fr)); }
.three { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.four { grid-template-columns: repeat(4, minmax(0, 1fr)); }
figure { margin: 0; min-width: 0; }
figcaption { font-size: .875rem; font-weight: 600; }
figcaption h3 { margin: 0; }
figcaption small { font-weight: 400; }
svg { display: block; width: 100%; height: auto; overflow: visible; }
figure > svg { max-width: 32rem; }
.waterfall svg { max-width: 25rem; }
.waterfall text { font-size: 11px; }
.counts { font-size: .8125rem; color: var(--soft); }
.counts > span { display: inline-block; margin: 0 .7em 0 .3em; white-space: nowrap; }
svg svg { overflow: hidden; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-size: .875rem; min-width: 100%; }
caption { padding: .4rem 0; text-align: left; font-weight: 600; }
th, td { padding: .4rem .6rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th, thead td { border-top: 0; border-bottom: 1px solid var(--strong-line); vertical-align: bottom; font-weight: 600; color: var(--soft); white-space: nowrap; }
tbody th { font-weight: 400; white-space: nowrap; }
tfoot th, tfoot td { border-top: 1px solid var(--strong-line); font-weight: 600; }
.number { text-align: right; white-space: nowrap; }
td small { white-space: nowrap; }
.rules { border-collapse: separate; border-spacing: 0; font-size: .8125rem; }
.rules th, .rules td { padding: .35rem .45rem; }
.rules td small { display: block; font-size: .75rem; }
.rules tbody th { position: sticky; left: 0; background: var(--paper); }
.rules .part-name { padding-top: 1rem; font-weight: 600; }
.confusion { table-layout: fixed; }
.confusion thead td, .confusion tbody th { width: 7.5rem; }
.confusion strong { font-size: 1.15rem; }
.confusion td small { display: block; white-space: normal; }
.mistake { background: var(--mistake); box-shadow: inset 0 0 0 2px var(--bad); }
.change { padding: 0 .35em; border: 1px solid var(--strong-line); border-radius: .3em; font-size: .8125rem; white-space: nowrap; }
.changed { background: var(--mark); }
.ledger .changed td:first-child { box-shadow: inset 3px 0 0 var(--candidate); }
.arrow { color: var(--candidate); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
details { margin: .5rem 0; }
summary { padding: .35rem .25rem; cursor: pointer; border-radius: .3rem; overflow-wrap: anywhere; }
summary:hover { background: var(--ground); }
.reason { border: 1px solid var(--line); border-radius: .4rem; padding: 0 .75rem; }
.reason[open] > summary { border-bottom: 1px solid var(--line); border-radius: 0; }
.group { margin-left: .25rem; padding-left: .75rem; border-left: 2px solid var(--line); }
.example { padding-left: .75rem; }
.example > summary code { font-size: .85em; word-break: break-all; }
.ledger td:last-child { min-width: 15rem; }
.part { display: inline-block; max-width: 100%; padding: .05em .4em; border: 1px solid var(--strong-line); border-radius: .3em; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .5rem 0 .75rem; padding: 0; list-style: none; font-size: .8125rem; color: var(--soft); }
.legend li { display: flex; align-items: center; gap: .4rem; }
.swatch { flex: none; display: inline-block; width: 1.5rem; height: .75rem; }
.swatch.bars { border: 1px solid var(--unlabelled); background: color-mix(in srgb, var(--unlabelled) 60%, transparent); }
.swatch.outline { height: 0; border-top: 2px solid var(--ink); }
.swatch.from { width: 0; height: 1rem; border-left: 2px solid var(--candidate); margin: 0 .5rem; }
.swatch.from.base { border-left: 2px dashed var(--base); }
.swatch.line { height: 0; border-top: 3px solid var(--candidate); }
.swatch.line.base { border-top: 2px dashed var(--base); }
.key, .dot { display: inline-block; width: .7em; height: .7em; margin-right: .4em; border-radius: .15em; background: var(--unlabelled); }
.key.good { background: var(--good); }
.key.bad { background: var(--bad); border-radius: 50%; }
.dot { border-radius: 50%; border: 2px solid var(--base); background: none; }
.dot.candidate { border-color: var(--candidate); background: var(--candidate); }
.card { padding: .9rem; border: 1px solid var(--line); border-radius: .4rem; }
.card svg { margin: .5rem 0; }
.sides { display: grid; gap: .3rem; margin: 0; }
.sides > div { display: grid; grid-template-columns: 6.2rem 1fr; font-size: .875rem; }
.sides small { display: block; white-space: nowrap; }
text { fill: var(--soft); font-size: 12px; }
text.name { font-size: 12px; fill: var(--ink); }
text.value { font-weight: 600; font-size: 12.5px; fill: var(--candidate); stroke: var(--paper); stroke-width: 3px; paint-order: stroke; }
text.value.base { fill: var(--base); }
.grid { stroke: var(--line); }
.axis { stroke: var(--strong-line); }
.chance { fill: none; stroke: var(--strong-line); stroke-dasharray: 2 4; }
.bar { fill-opacity: .6; }
.bar.good { fill: var(--good); stroke: var(--good); }
.bar.bad { fill: var(--bad); stroke: var(--bad); }
.bar.unlabelled { fill: var(--unlabelled); stroke: var(--unlabelled); }
path.outline { fill: none; stroke: var(--ink); stroke-width: 1.5px; }
line.from { stroke: var(--candidate); stroke-width: 2px; }
line.from.base { stroke: var(--base); stroke-dasharray: 5 3; }
.curve { fill: none; stroke-width: 2.5px; stroke: var(--candidate); stroke-linejoin: round; }
.curve.base { stroke: var(--base); stroke-width: 2px; stroke-dasharray: 5 3; }
.mark { stroke: var(--candidate); fill: var(--candidate); stroke-width: 2px; }
.mark.base { stroke: var(--base); fill: var(--paper); }
.interval { stroke: var(--candidate); stroke-width: 3px; stroke-linecap: round; }
.interval.base { stroke: var(--base); }
.step.more { fill: var(--bad); }
.step.less { fill: var(--good); }
.step.sum { fill: var(--ink); }
@media screen and (max-width: 62rem) {
  .three, .four { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
@media screen and (max-width: 44rem) {
  .two, .three, .four, .tiles { grid-template-columns: minmax(0, 1fr); }
  section { padding: 1rem .8rem; }
  .facts > div, .words > div { grid-template-columns: minmax(0, 1fr); }
  main, nav ul { padding: 0 .7rem; }
  .tiles { gap: .5rem; }
  .big { display: inline; font-size: 1.4rem; }
  .reason { padding: 0 .5rem; }
  .group { margin-left: 0; padding-left: .5rem; }
  .example { padding-left: 0; }
  .confusion thead td, .confusion tbody th { width: 6.2rem; }
  .rules tbody th { white-space: normal; width: 8rem; min-width: 7.5rem; }
  .rules .part-name { min-width: 0; }
}
@media print {
  html { font-size: 64%; }
  body { background: none; }
  nav { display: none; }
  section, .tiles li { border: 0; padding: .5rem 0; }
  .scroll { overflow: visible; }
  .rules { font-size: .75rem; }
  .rules th, .rules td { padding: .25rem .3rem; }
  figure, tr, .tiles li, .note, .teach, .card { break-inside: avoid; }
  h2, h3, summary, .legend { break-after: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
