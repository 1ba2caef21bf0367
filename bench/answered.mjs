/** Asks until there is an answer. */
export async function answered(url) {
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response !== undefined) return response.text()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
