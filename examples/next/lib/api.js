import { cookies } from 'next/headers'

/** Calls the API as the user who is logged in. All users share one base URL. */
export async function call(path, { headers, ...init } = {}) {
  const token = (await cookies()).get('token')?.value
  return fetch(`${process.env.COUNTERSIGN_URL}${path}`, {
    ...init,
    headers: { ...headers, authorization: `Bearer ${token}` },
    cache: 'no-store',
  })
}
