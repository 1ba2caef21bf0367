/**
 * Copies a text that may yet have to be fetched. Some browsers let a page write only while it handles the click, so
 * that they get a promise; where the page is not on a secure origin, there is the old way.
 */
export async function copyText(text: Promise<string>): Promise<void> {
  const { clipboard } = navigator as { clipboard?: Clipboard }
  if (clipboard !== undefined) {
    try {
      const blob = text.then((one) => new Blob([one], { type: 'text/plain' }))
      await clipboard.write([new ClipboardItem({ 'text/plain': blob })])
      return
    } catch {
      // Not allowed, or no ClipboardItem here; a text that could not be fetched fails again below.
    }
  }
  copySelected(await text)
}

function copySelected(text: string): void {
  const area = document.createElement('textarea')
  const focused = document.activeElement
  area.value = text
  area.className = 'off-screen'
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!copied) throw new Error('The browser does not let this page copy. Select the text and copy it yourself.')
}
