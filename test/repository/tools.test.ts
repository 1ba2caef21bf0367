import t from 'tap'
import { compilesWithout, tools } from './delete-tools.js'

t.test('without any tool, the rest compiles and serves', async (t) => compilesWithout(t, Object.keys(tools)))
