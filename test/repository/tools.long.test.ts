import t from 'tap'
import { compilesWithout, tools } from './delete-tools.js'

for (const tool of Object.keys(tools))
  t.test(`without ${tool}, the rest compiles and serves`, async (t) => compilesWithout(t, [tool]))
