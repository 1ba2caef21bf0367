// Runs the subjects that no other process has taken, one after another. take-subjects.mjs FOLDER
import { mkdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

const [folder] = process.argv.slice(2)
// A file, since tap names folders after arguments.
const subjects = JSON.parse(readFileSync(`${folder}/subjects.json`, 'utf8'))
takeNext()

function takeNext() {
  t.test('the next subject', async () => {
    const subject = subjects.find(take)
    if (subject === undefined) return
    await import(pathToFileURL(resolve(folder, `${subject}.mjs`)).href)
    // Parallel tests have a process to themselves.
    if (t.jobs === 1) takeNext()
  })
}

function take(subject) {
  try {
    mkdirSync(`${folder}/${subject}.taken`)
    return true
  } catch {
    return false
  }
}
