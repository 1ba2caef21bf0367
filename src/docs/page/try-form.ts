import type { TObject, TSchema } from '@sinclair/typebox'
import { exampleOf, isFile } from '../../../schemas/common.js'
import { type Contract, statusesOf } from '../../../schemas/contract.js'
import { type Html, html } from '../../text/html.js'
import { sentFields } from '../example-call.js'

/** The form that calls an operation; nothing is checked here, so that wrong values can be tried too. */
export function tryForm(contract: Contract): Html {
  const { id, method, path, params, query, form } = contract
  return html`<form class="try" data-method="${method}" data-path="${path}" aria-labelledby="${id}-title ${id}-try" novalidate>
<h3 id="${id}-try">Try it</h3>
${fields(id, 'path', params, required(params))}${fields(id, 'query', query, required(query))}${
  form === undefined ? '' : fields(id, 'form', form, sentFields(form))
}${preferField(contract)}
<p class="send"><button type="submit">Send</button> <span class="quiet">Empty fields are left out.</span></p>
<div class="answer" role="status" hidden></div>
</form>`
}

function required(schema: TObject): string[] {
  return schema.required ?? []
}

function fields(id: string, place: string, { properties }: TObject, filled: readonly string[]): Html[] {
  return Object.entries(properties).map(([name, schema]) => {
    const field = `${id}-${place}-${name}`
    return html`<div class="field"><label for="${field}">${name}</label>${input(field, place, name, schema, filled.includes(name))}</div>
`
  })
}

function input(id: string, place: string, name: string, schema: TSchema, filled: boolean): Html {
  const target = html`id="${id}" data-in="${place}" data-name="${name}"`
  if (isFile(schema)) {
    const [kind = ''] = String(schema.contentMediaType).split('/')
    return kind === 'image'
      ? html`<span class="file"><input type="file" ${target} accept="image/*"><button type="button" data-draw="${id}">Draw one</button></span>`
      : html`<input type="file" ${target} accept="${String(schema.contentMediaType)}">`
  }
  const shown = exampleOf(schema)
  if (Array.isArray(schema.enum))
    return select(
      target,
      schema.enum.filter((one) => one !== ''),
      filled ? shown : '',
    )
  return html`<input ${target} value="${filled ? shown : ''}" placeholder="${shown}" autocomplete="off" spellcheck="false">`
}

function select(target: Html, values: readonly unknown[], chosen: string): Html {
  return html`<select ${target}><option value="">left out</option>${values.map(
    (value) => html`<option${value === chosen ? html` selected` : ''}>${String(value)}</option>`,
  )}</select>`
}

function preferField(contract: Contract): Html {
  const id = `${contract.id}-prefer`
  return html`<div class="field"><label for="${id}">Prefer</label><select id="${id}" data-prefer>
<option value="">none: the operation answers as usual</option>
${statusesOf(contract).map(
  (status) =>
    html`<option value="code=${status}">code=${status} · ${plain(contract.responses[status]?.description)}</option>\n`,
)}</select></div>`
}

/** Options hold no markup. */
function plain(text = ''): string {
  return text.replaceAll('`', '')
}
