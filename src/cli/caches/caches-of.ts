import { isAbsolute, join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** The folder for the caches of this user's programs; undefined where the environment names none. */
export function cachesOf(env: Environment, platform: string = process.platform): string | undefined {
  return (places[platform] ?? unix)(env)
}

const places: Readonly<Record<string, (env: Environment) => string | undefined>> = {
  darwin: ({ HOME }) => below(HOME, 'Library/Caches'),
  win32: ({ LOCALAPPDATA }) => below(LOCALAPPDATA),
}

function unix({ XDG_CACHE_HOME, HOME }: Environment): string | undefined {
  return below(XDG_CACHE_HOME) ?? below(HOME, '.cache')
}

/** A relative path would lead into whatever folder the program is started in. */
function below(folder: string | undefined, path = ''): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? join(folder, path) : undefined
}
