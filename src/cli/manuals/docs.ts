import type { Manual } from '../manual.js'

export const manual: Manual = {
  usage: ['docs', 'docs NAME', 'docs WORD…'],
  about: [
    'Without a word, lists the pages of the documentation that this package contains. With the name of a page, prints the page as markdown. With other words, prints the paragraphs that contain all of them.',
  ],
  flags: {},
  options: {},
  sections: [
    {
      title: 'Exit status',
      rows: [
        ['0', 'it was printed'],
        ['1', 'no page contains all of the words'],
      ],
    },
  ],
  examples: ['countersign docs', 'countersign docs sandboxes', 'countersign docs invitation mail'],
}
