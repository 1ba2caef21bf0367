import { startMockServer } from '../../dist/index.js'
import { report } from './report.mjs'

report((await startMockServer({ port: 0 })).url)
