import type { Draft } from '../drafts.js'

/** Says that what is shown is not saved, with a way back to what is. */
export function DraftNote({ draft: { isDraft, isOutrun, discard } }: { readonly draft: Omit<Draft<unknown>, 'set'> }) {
  if (!isDraft) return null
  return (
    <p class="draft-note" role={isOutrun ? 'alert' : undefined}>
      <span>
        A draft: it stays here until you save or discard it.
        {isOutrun && ' What is stored was changed or deleted meanwhile: saving puts the draft in its place.'}
      </span>{' '}
      <button type="button" class="small" onClick={discard}>
        Discard
      </button>
    </p>
  )
}
