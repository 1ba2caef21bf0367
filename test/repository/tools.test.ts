import t from 'tap'
import { compilesWithout, tools } from './delete-tools.js'

t.test('without every tool, all else compiles and serves', async (t) => compilesWithout(t, Object.keys(tools)))
