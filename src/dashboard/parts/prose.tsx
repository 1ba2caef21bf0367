/** A sentence of ours, in which `code` is set as code. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <bdi>
      {text
        .split(/(`[^`]+`)/)
        .map((piece, at) => (piece.startsWith('`') ? <code key={at}>{piece.slice(1, -1)}</code> : piece))}
    </bdi>
  )
}
