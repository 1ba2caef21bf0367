import { drawn } from './draw.js'
import type { Variation } from './variation.js'

/** JSON is in UTF-8, whether its type says so or not (RFC 8259). */
const CONTENT_TYPES = ['application/json', 'application/json;charset=UTF-8']

/** The type without its charset, or written otherwise. */
export const contentType: Variation = {
  name: 'content-type',
  change: (_, draw, { typeNamed }) => (typeNamed ? undefined : { contentType: drawn(draw, CONTENT_TYPES) }),
}

const cases: Readonly<Record<string, (name: string) => string>> = {
  title: (name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  upper: (name) => name.toUpperCase(),
}

/** The names of headers in another letter case. */
export const headerCase: Variation = {
  name: 'header-case',
  change: (_, draw) => {
    const [name, headerName] = drawn(draw, Object.entries(cases))
    return { headerName, to: name }
  },
}

/** The body in chunks, without its length. */
export const chunked: Variation = {
  name: 'chunked',
  change: (_, __, { takesChunks }) => (takesChunks ? { chunked: true } : undefined),
}
