import { createServer } from 'node:net'

/** How many ports are tried. */
const TRIES = 100
const LAST_PORT = 65_535

/** The first port after another one on which a host can be listened on, if one of the next hundred is. */
export async function nextFreePort(host: string, after: number): Promise<number | undefined> {
  for (let port = after + 1; port <= Math.min(after + TRIES, LAST_PORT); port++) {
    if (await isFree(host, port)) return port
  }
  return undefined
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
