/** The page's style: no image, no font, nothing fetched. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf6; --sheet: #ffffff; --ink: #1c2230; --quiet: #5a6273; --line: #e2dfd6; --code: #f3f1ea;
  --accent: #2c47b8; --accent-ink: #ffffff;
  --get: #1d5fa8; --post: #1f7044; --put: #8f5400;
  --ok: #1f7044; --client: #9a4a00; --server: #b02a37;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #13161d; --sheet: #1a1e27; --ink: #e7e9ef; --quiet: #a2aab9; --line: #2d3340; --code: #12151b;
    --accent: #a9bbff; --accent-ink: #10142a;
    --get: #8ebdf2; --post: #7fd0a1; --put: #eeb866;
    --ok: #7fd0a1; --client: #f0ad6b; --server: #ff9a9f;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100% }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
a { color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
h1, h2, h3 { line-height: 1.2; text-wrap: balance }
h1 { font-size: clamp(1.6rem, 1.2rem + 2vw, 2.3rem); letter-spacing: -.015em; margin: 0 0 .6rem }
h2 { font-size: 1.45rem; letter-spacing: -.01em; margin: .1rem 0 .6rem }
h3 { font-size: .82rem; letter-spacing: .06em; text-transform: uppercase; color: var(--quiet); margin: 1.6rem 0 .55rem }
p { margin: 0 0 .8rem; max-width: 72ch }
code, pre { font-family: var(--mono); font-size: .855em }
p code, li code, td code { overflow-wrap: anywhere }
pre { margin: 0; padding: .8rem .95rem; background: var(--code); border: 1px solid var(--line); border-radius: 8px; overflow: auto; line-height: 1.5; font-size: .84rem }
pre code { font-size: inherit }
.quiet { color: var(--quiet) }
.skip { position: absolute; left: -99rem; padding: .5rem 1rem; background: var(--accent); color: var(--accent-ink); z-index: 3 }
.skip:focus { left: 0 }

.top { position: sticky; top: 0; z-index: 2; display: flex; align-items: baseline; gap: .4rem 1.6rem; padding: .7rem 1.5rem; background: var(--sheet); border-bottom: 1px solid var(--line) }
.top p { margin: 0 }
.brand { font: italic 600 1.3rem/1.2 Georgia, "Times New Roman", serif; border-bottom: 2px solid var(--accent); padding: 0 .3rem }
.base { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0 }
.links { margin-left: auto !important; white-space: nowrap; display: flex; gap: .9rem }

.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 96rem; margin: 0 auto }
nav { position: sticky; top: 3.4rem; align-self: start; max-height: calc(100vh - 3.4rem); overflow: auto; padding: 1.6rem 0 1.6rem 1.5rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav a { display: grid; grid-template-columns: 2.9rem 1fr; gap: .55rem; align-items: baseline; padding: .38rem .6rem; border-radius: 7px; color: inherit; text-decoration: none; font-size: .92rem; line-height: 1.35 }
nav a:hover { background: var(--code) }
nav .apart { margin-top: .7rem; padding-top: .7rem; border-top: 1px solid var(--line) }
nav .apart a, nav .apart ~ li a { display: block }
main { padding: 2rem 2rem 5rem; min-width: 0 }

.method { display: inline-block; font: 700 .7rem/1 var(--mono); letter-spacing: .04em; text-align: center; padding: .3em .5em; border-radius: 5px; border: 1.5px solid currentColor }
.get { color: var(--get) } .post { color: var(--post) } .put { color: var(--put) }
.badge { flex: none; font-size: .74rem; line-height: 1.3; white-space: nowrap; padding: .1rem .55rem; border-radius: 99px; border: 1.5px solid }
.badge.shown { color: var(--sheet); background: var(--ok); border-color: var(--ok) }
.badge.bodyNotShown { color: var(--ok); border-color: currentColor }
.badge.assumed { color: var(--client); border: 1.5px dashed currentColor }
.status { display: inline-block; font: 700 .85rem/1.3 var(--mono) }
.s2 { color: var(--ok) } .s4 { color: var(--client) } .s5 { color: var(--server) }

.lead { font-size: 1.08rem }
.legend { list-style: none; margin: 0 0 1.4rem; padding: 0; display: grid; gap: .45rem }
.legend li { display: grid; grid-template-columns: 8rem 1fr; align-items: baseline }
.legend .badge { justify-self: start }
.token { display: grid; gap: .3rem; max-width: 24rem }
label { font-size: .86rem; color: var(--quiet) }
input, select, button { font: inherit; font-size: .92rem; color: inherit; max-width: 100% }
input, select { width: 100%; min-width: 0; padding: .42rem .6rem; background: var(--sheet); border: 1px solid color-mix(in srgb, var(--quiet) 65%, transparent); border-radius: 7px }
input::placeholder { color: var(--quiet); opacity: .75 }
input[type=file] { padding: .3rem .4rem }
button { padding: .38rem .85rem; background: transparent; border: 1px solid color-mix(in srgb, var(--quiet) 65%, transparent); border-radius: 7px; cursor: pointer; white-space: nowrap }
button:hover { border-color: var(--accent); color: var(--accent) }
button[type=submit] { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); font-weight: 600; padding: .48rem 1.4rem }
button[disabled] { opacity: .6; cursor: progress }

.operation, .appendix { background: var(--sheet); border: 1px solid var(--line); border-radius: 14px; padding: 1.5rem 1.6rem 1.7rem; margin-top: 1.8rem }
.operation { display: grid; grid-template-columns: minmax(0, 1fr); column-gap: 2rem }
.section { margin: 0; font-size: .86rem; color: var(--quiet) }
.route { display: flex; align-items: baseline; gap: .6rem; font-size: 1.02rem }
.says > h3:first-child, .curl h3 { margin-top: .6rem }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px }
table { border-collapse: collapse; width: 100%; font-size: .93rem }
th, td { text-align: left; vertical-align: top; padding: .55rem .8rem; border-top: 1px solid var(--line) }
thead th { border-top: 0; font-size: .8rem; color: var(--quiet); font-weight: 600; background: var(--code) }
tbody th { font-weight: 500; white-space: nowrap }
.one { white-space: nowrap }
tr:target { background: color-mix(in srgb, var(--accent) 14%, transparent) }
.required { display: block; font-size: .78rem; font-weight: 400; color: var(--client) }
.switch { font-size: .9em }

.response { border: 1px solid var(--line); border-radius: 8px; margin-bottom: .5rem }
.response summary { display: flex; align-items: baseline; gap: .8rem; padding: .5rem .8rem; cursor: pointer; border-radius: 8px; list-style: none }
.response summary::-webkit-details-marker { display: none }
.response summary::before { content: "›"; flex: none; width: .5rem; color: var(--quiet); font-weight: 700; transition: rotate .12s }
.response[open] summary::before { rotate: 90deg }
.response summary:hover { background: var(--code) }
.what { flex: 1; min-width: 0 }
.response pre { border-width: 1px 0; border-radius: 0; max-height: 30rem }
.response p { margin: 0; padding: .5rem .8rem; font-size: .86rem }

.curl { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: end }
.curl button { margin-bottom: .4rem; padding: .1rem .6rem; font-size: .8rem }
.curl pre { grid-column: 1 / -1 }
.field { display: grid; grid-template-columns: minmax(8rem, 13rem) minmax(0, 1fr); gap: .2rem .8rem; align-items: center; margin-bottom: .45rem }
.field label { font-family: var(--mono); font-size: .8rem; overflow-wrap: anywhere }
.file { display: flex; gap: .5rem; min-width: 0 }
.send { display: flex; align-items: center; gap: .9rem; margin: .9rem 0 0; font-size: .86rem }
.answer { margin-top: .9rem }
.line { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem .9rem; margin-bottom: .5rem; font-size: .92rem }
.answer pre { max-height: 30rem; white-space: pre-wrap; overflow-wrap: anywhere }

@media (min-width: 84rem) {
  .operation { grid-template-columns: minmax(0, 1fr) minmax(0, 27rem) }
  .head { grid-column: 1 / -1 }
  .field { grid-template-columns: minmax(0, 1fr) }
}
@media (max-width: 60rem) {
  html { scroll-padding-top: 1rem }
  .top { position: static; flex-wrap: wrap; padding: .8rem 1rem }
  .base { order: 3; flex-basis: 100% }
  .page { display: block }
  nav { position: static; max-height: none; padding: 1rem 1rem 0 }
  main { padding: 1.2rem 1rem 3rem }
  .intro { margin-top: .6rem }
}
@media (max-width: 40rem) {
  .operation, .appendix { padding: 1.1rem 1rem 1.2rem; margin-left: -1rem; margin-right: -1rem; border-radius: 0; border-width: 1px 0 }
  .legend { gap: .8rem }
  .legend li { grid-template-columns: 1fr; gap: .2rem }
  .stack thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
  .stack, .stack tbody, .stack tr { display: block }
  .stack tr { padding: .55rem .8rem; border-top: 1px solid var(--line) }
  .stack tr:first-child { border-top: 0 }
  .stack th, .stack td { display: block; border: 0; padding: .12rem 0 }
  .stack td[data-label] { display: grid; grid-template-columns: 5rem 1fr }
  .stack td[data-label]::before { content: attr(data-label); color: var(--quiet); font-size: .86rem }
  .stack tbody th { white-space: normal; overflow-wrap: anywhere }
  .required { display: inline; margin-left: .5rem }
  .response summary { flex-wrap: wrap; gap: .1rem .7rem }
  .response .badge { margin-left: auto }
  .field { grid-template-columns: minmax(0, 1fr) }
}
`
