/** A form that invites a person, as your app may have one. It does not depend on the mock. */
export function inviteForm(root) {
  root.innerHTML = `<form>
    <input name="data[0][email]">
    <input type="hidden" name="data[0][first_name]" value="Ada">
    <input type="hidden" name="data[0][last_name]" value="Lovelace">
    <input type="hidden" name="data[0][role]" value="Member">
    <input type="hidden" name="data[0][organization_id]" value="1">
    <p role="status"></p>
  </form>`
  const form = root.querySelector('form')
  const messages = { 200: 'Invited.', 409: 'Is a member already.' }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const url = 'https://api.example.com/api/v2/organization/members/add?user_type=ENTERPRISE_API'
    const headers = { authorization: 'Bearer token-admin' }
    const sent = fetch(url, { method: 'POST', headers, body: new FormData(form) })
    const { status } = await sent.catch(() => ({ status: 0 }))
    root.querySelector('[role=status]').textContent = messages[status] ?? 'Try again later.'
  })
}
