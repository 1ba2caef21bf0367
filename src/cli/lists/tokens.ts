import { loadFixtures } from '../../server/load-data.js'
import { defineList } from './list.js'

export const tokens = defineList(
  async (settings) => {
    const users = (await loadFixtures(settings)).collection('users')
    return Array.from(users.all(), ({ token, email, permissions }) => ({ token, email, permissions }))
  },
  ({ token, email, permissions }) => [[token, email, permissions.join(', ')]],
)
