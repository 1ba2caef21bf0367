import type { OptionName } from '../../schemas/config.js'
import { type FileComplaint, InvalidFiles } from '../text/invalid-files.js'
import { readSource } from '../text/source-file.js'
import { asWritten, namedAsWritten } from '../text/written-paths.js'
import type { Settings } from '../world/settings.js'

/**
 * Reads the file or folder that a setting names.
 * @throws {InvalidFiles} which names files as the user wrote them, and what named one that cannot be read
 */
export async function namedBySetting<T>(settings: Settings, name: OptionName, work: () => Promise<T>): Promise<T> {
  return namedAsWritten(settings.written, async () => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof InvalidFiles)) throw error
      throw new InvalidFiles(await Promise.all(error.complaints.map((one) => named(one, settings, name))))
    }
  })
}

async function named(complaint: FileComplaint, settings: Settings, name: OptionName): Promise<FileComplaint> {
  const { sources, configFile, written } = settings
  const { file, line, message } = complaint
  if (file !== settings[name] || line !== undefined || !/cannot be read: /.test(message)) return complaint
  const source = sources[name]
  if (source !== undefined) return { ...complaint, message: `${message} Check ${source}.` }
  if (configFile === undefined) return complaint
  const config = await readSource(configFile)
  // A folder that is taken without being named stands in no file.
  if ((config.data as Partial<Record<OptionName, unknown>> | null)?.[name] === undefined) return complaint
  return config.complain([name], `${asWritten(written, file)}: ${message}`)
}
