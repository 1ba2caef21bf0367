import { cookies } from 'next/headers'
import { invite, logIn } from '../lib/actions.js'
import { call } from '../lib/api.js'

const HISTORIES = '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const MESSAGES = { 200: 'Invited.', 409: 'Is a member already.' }

export default async function Page({ searchParams }) {
  if (!(await cookies()).has('token')) return <LogIn />
  const response = await call(HISTORIES)
  const answer = await response.json()
  if (!response.ok) return <p role="alert">{answer.detail ?? 'The credits cannot be shown.'}</p>
  const { invited } = await searchParams
  return (
    <main>
      <ul>
        {answer.histories.map(({ id, amount, currency, details }) => (
          <li key={id}>
            {amount} {currency}: {details?.note}
          </li>
        ))}
      </ul>
      <form action={invite}>
        <label>
          E-mail <input name="email" type="email" required />
        </label>
        <button type="submit">Invite</button>
      </form>
      <p role="status">{MESSAGES[invited]}</p>
    </main>
  )
}

function LogIn() {
  return (
    <form action={logIn}>
      <label>
        Token <input name="token" required />
      </label>
      <button type="submit">Log in</button>
    </form>
  )
}
