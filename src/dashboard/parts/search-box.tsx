interface Props {
  readonly label: string
  readonly value: string
  readonly set: (value: string) => void
}

/** Filters a list by text. */
export function SearchBox({ label, value, set }: Props) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  )
}
