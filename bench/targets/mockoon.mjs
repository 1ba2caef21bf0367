// Mockoon, which reads each body, answers the same bytes, and logs what it does.
import { load, replies, report } from './report.mjs'

const { BuildEnvironment, BuildHTTPRoute, BuildRouteResponse } = load('@mockoon/commons')
const { MockoonServer } = load('@mockoon/commons-server')

const routes = replies.map(({ method, path, status, headers, body }) => {
  const headerList = Object.entries(headers).map(([key, value]) => ({ key, value }))
  const response = { ...BuildRouteResponse(), statusCode: status, headers: headerList, body, disableTemplating: true }
  return { ...BuildHTTPRoute(), method: method.toLowerCase(), endpoint: path.slice(1), responses: [response] }
})
const environment = { ...BuildEnvironment(), hostname: '127.0.0.1', port: 4017, routes }
environment.rootChildren = routes.map(({ uuid }) => ({ type: 'route', uuid }))
const server = new MockoonServer(environment)
server.on('error', console.error)
server.on('started', () => report('http://127.0.0.1:4017'))
server.start()
