import type { Manual } from '../manual.js'

export const manual: Manual = {
  usage: ['health [URL] [options]'],
  about: [
    'Asks a server whether it is ready, within a second. The URL is that of a server or of a sandbox; without one, it is the server of this machine on the port that the options, the environment or the config file set.',
  ],
  flags: {},
  options: { config: true, port: true, host: true, tlsCert: true },
  sections: [
    {
      title: 'Exit status',
      rows: [
        ['0', 'the server is ready'],
        ['1', 'nothing is there, nothing answers, or something else does'],
      ],
    },
  ],
  examples: ['countersign health', 'countersign health http://127.0.0.1:4010/~worker-3'],
}
