import type { Provenance } from '../../schemas/contract.js'

/** The label and the explanation of each provenance. */
export const provenanceWords: { readonly [P in Provenance]: { readonly label: string; readonly sentence: string } } = {
  shown: { label: 'shown', sentence: 'The API document shows the keys and types of this body, but nothing more.' },
  bodyNotShown: {
    label: 'body not shown',
    sentence: 'The API document lists this response but does not show its body.',
  },
  assumed: { label: 'assumed', sentence: 'The API document does not name this status; it is our reading.' },
}

export const provenances = Object.keys(provenanceWords) as Provenance[]
