import type { Form, FormValue } from '../../schemas/common.js'
import type { KeptForm } from '../../src/world/journal/exchange.js'

/** A form without the bytes of its files. */
export function shownForm(form: Form | KeptForm | null) {
  return (
    form && Object.entries(form).map(([name, value]) => [name, [value].flat().map((one) => ofValue(one as FormValue))])
  )
}

function ofValue(value: FormValue) {
  if (typeof value === 'string') return value
  const { filename, mimetype, size, sha256 } = value
  return { filename, mimetype, size, sha256 }
}
