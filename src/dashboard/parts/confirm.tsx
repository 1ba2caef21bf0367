import { render } from 'preact'

/** Asks before something is taken away that cannot be put back; resolves with whether to go on. */
export function confirm(question: string, verb: string): Promise<boolean> {
  const dialog = document.createElement('dialog')
  dialog.ariaLabel = question
  render(
    <form method="dialog">
      <p>
        <bdi>{question}</bdi>
      </p>
      <p class="buttons">
        <button type="button" onClick={() => dialog.close()}>
          Cancel
        </button>
        <button type="submit" value={verb}>
          {verb}
        </button>
      </p>
    </form>,
    dialog,
  )
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === verb)
    })
  })
}
