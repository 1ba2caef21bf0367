import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import t from 'tap'

const TOP: ReadonlySet<string> = new Set(
  `.ci .containerignore .editorconfig .gitattributes .github .gitignore .npmrc .taprc AGENTS.md CHANGELOG.md
  CONTRIBUTING.md Containerfile LICENSE README.md SECURITY.md action.yml bench biome.json build.mjs docs examples
  fixtures knip.json openapi.json package-lock.json package.json schemas scripts src test tsconfig.json`.split(/\s+/),
)

t.test('no stray file is committed', { skip: !existsSync('.git') }, async (t) => {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n')
  t.ok(files.length > TOP.size)
  const strays = files.filter(
    (file) => !TOP.has(file.split('/')[0] ?? '') || /(?:^|\/)\.tmp|\.(?:log|orig|bak|tgz)$/.test(file),
  )
  t.same(strays, [])
})
