// Prism, which checks each request and answers with the examples of openapi.json.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { load, report } from './report.mjs'

const loadFromPrism = createRequire(load.resolve('@stoplight/prism-cli/package.json'))
const { createLogger } = loadFromPrism('@stoplight/prism-core')
const { getHttpOperationsFromSpec } = loadFromPrism('@stoplight/prism-http')
const { createServer } = loadFromPrism('@stoplight/prism-http-server')

const operations = await getHttpOperationsFromSpec(fileURLToPath(new URL('../../openapi.json', import.meta.url)))
const config = { checkSecurity: true, validateRequest: true, validateResponse: true, mock: { dynamic: false } }
const components = { logger: createLogger('bench', { level: 'error' }) }
report(await createServer(operations, { cors: true, config, components }).listen(0, '127.0.0.1'))
