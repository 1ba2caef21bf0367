import { loadFixtures } from '../../server/load-data.js'
import { defineList } from './list.js'

export const tokens = defineList(
  async (settings) =>
    (await loadFixtures(settings))
      .collection('users')
      .records.map(({ token, email, permissions }) => ({ token, email, permissions })),
  ({ token, email, permissions }) => [[token, email, permissions.join(', ')]],
)
