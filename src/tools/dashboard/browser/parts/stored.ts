import { useEffect, useState } from 'preact/hooks'

/** Shared by all windows; empty at first. */
export function useStored(key: string) {
  const read = () => localStorage.getItem(key) ?? ''
  const [value, setValue] = useState(read)
  useEffect(() => {
    const changed = () => setValue(read())
    addEventListener('storage', changed)
    return () => removeEventListener('storage', changed)
  }, [])
  const store = (text: string) => {
    localStorage.setItem(key, text)
    // The browser tells only other windows.
    dispatchEvent(new Event('storage'))
  }
  return [value, store] as const
}
