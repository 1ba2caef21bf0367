import type { Failure } from '../api.js'

/** Why something failed, where it happened. */
export function Problem({ failure }: { readonly failure: Failure | undefined }) {
  if (failure === undefined) return null
  return (
    <p class="problem" role="alert">
      <bdi>{failure.message}</bdi>
    </p>
  )
}
