import { useState } from 'preact/hooks'
import { adminOf } from '../../world.js'

/** What the server takes as a sandbox's name. */
const NAME = '[A-Za-z0-9_.\\-]{1,64}'

/** Leads to a sandbox, which is made when it is first used. */
export function OpenSandbox() {
  const [name, setName] = useState('')
  return (
    <section aria-labelledby="open-title">
      <h2 id="open-title">Open a sandbox</h2>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          location.assign(adminOf(name))
        }}
      >
        <label>
          Name{' '}
          <input
            required
            pattern={NAME}
            title="Letters, digits, and _ . -"
            value={name}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit">Open</button>
      </form>
    </section>
  )
}
