import type { Provenance } from '../../engine/contract/contract.js'

export const provenanceSentences: { readonly [P in Provenance]: string } = {
  shown: 'The API document shows the keys and types of this body, but nothing more.',
  bodyNotShown: 'The API document lists this response but does not show its body.',
  assumed: 'The API document does not name this status; it is our interpretation.',
}
