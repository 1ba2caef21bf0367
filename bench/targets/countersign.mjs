// The server itself, as it is shipped; the only addition is that it tells its CPU time.
import { startMockServer } from '../../dist/index.js'
import { report } from './report.mjs'

const options = JSON.parse(process.env.BENCH ?? '{}')
const mock = await startMockServer({ port: 0, ...options })
report(mock.url)
