'use server'

import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { call } from './api.js'

/** Keeps the user's token in a cookie. In your app, it comes from an identity provider. */
export async function logIn(form) {
  ;(await cookies()).set('token', form.get('token'), { httpOnly: true, sameSite: 'lax' })
  redirect('/')
}

export async function invite(form) {
  const member = {
    email: form.get('email'),
    first_name: 'Ada',
    last_name: 'Lovelace',
    role: 'Member',
    organization_id: '1',
  }
  const body = new FormData()
  for (const [name, value] of Object.entries(member)) body.set(`data[0][${name}]`, value)
  const { status } = await call('/api/v2/organization/members/add?user_type=ENTERPRISE_API', { method: 'POST', body })
  redirect(`/?invited=${status}`)
}
