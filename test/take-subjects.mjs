// Runs the tests of one subject after the other, each that no other process has taken. take-subjects.mjs FOLDER
import { mkdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

const [folder] = process.argv.slice(2)
// Not as arguments: tap names folders by them.
const subjects = JSON.parse(readFileSync(`${folder}/subjects.json`, 'utf8'))
takeNext()

function takeNext() {
  t.test('the next subject', async () => {
    const subject = subjects.find(take)
    if (subject === undefined) return
    await import(pathToFileURL(resolve(folder, `${subject}.mjs`)).href)
    // Tests that run side by side have their process for themselves.
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
