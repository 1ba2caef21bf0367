// The docs page's script: it sends the forms, shows the answers as text, and copies curl lines.

// The page calls what it came from, below the prefix of whatever proxy stands between.
const base = location.origin + location.pathname.replace(/\/__admin\/docs\/?$/, '')
const told = document.body.dataset.base
if (base !== told)
  for (const code of document.querySelectorAll('code')) code.textContent = code.textContent.replaceAll(told, base)

document.addEventListener('submit', (event) => {
  event.preventDefault()
  void send(event.target)
})

document.addEventListener('click', (event) => {
  if (event.target.matches('[data-copy]')) void copy(event.target)
  if (event.target.matches('[data-draw]')) draw(document.getElementById(event.target.dataset.draw))
})

async function send(form) {
  const answer = form.querySelector('.answer')
  const button = form.querySelector('[type=submit]')
  button.disabled = true
  const started = performance.now()
  try {
    const response = await fetch(urlOf(form), requestOf(form))
    const text = await response.text()
    show(answer, response, text, Math.round(performance.now() - started))
  } catch (error) {
    showFailure(answer, error)
  }
  button.disabled = false
  answer.hidden = false
  answer.scrollIntoView({ block: 'nearest' })
}

function given(form, place) {
  return [...form.querySelectorAll(`[data-in=${place}]`)].map((input) => [input.dataset.name, input])
}

function urlOf(form) {
  let path = form.dataset.path
  for (const [name, { value }] of given(form, 'path')) path = path.replace(`{${name}}`, encodeURIComponent(value))
  const query = new URLSearchParams()
  for (const [name, { value }] of given(form, 'query')) if (value !== '') query.append(name, value)
  return base + path + (query.size === 0 ? '' : `?${query}`)
}

function requestOf(form) {
  const headers = {}
  const token = document.getElementById('token').value
  const prefer = form.querySelector('[data-prefer]').value
  if (token !== '') headers.Authorization = `Bearer ${token}`
  if (prefer !== '') headers.Prefer = prefer
  const parts = given(form, 'form')
  if (parts.length === 0) return { method: form.dataset.method, headers }
  const body = new FormData()
  for (const [name, input] of parts) {
    if (input.type === 'file') for (const file of input.files) body.append(name, file)
    else if (input.value !== '') body.append(name, input.value)
  }
  return { method: form.dataset.method, headers, body }
}

function show(answer, response, text, milliseconds) {
  const exchange = response.headers.get('X-Mock-Exchange')
  const outcome = response.headers.get('X-Mock-Outcome') ?? response.headers.get('X-Mock-Error')
  answer.replaceChildren(
    element(
      'p',
      'line',
      element('span', `status s${Math.floor(response.status / 100)}`, String(response.status)),
      element('code', '', outcome ?? response.statusText),
      element('span', 'quiet', `${milliseconds} ms`),
      ...(exchange === null ? [] : [link(`./#/requests/${exchange}`, `exchange ${exchange}`)]),
    ),
    element('pre', '', element('code', '', pretty(text))),
  )
}

function showFailure(answer, error) {
  answer.replaceChildren(
    element('p', 'line', element('span', 'status s5', 'no answer'), element('span', '', String(error.message))),
  )
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function element(name, classes, ...children) {
  const made = document.createElement(name)
  if (classes !== '') made.className = classes
  if (name === 'pre') made.tabIndex = 0
  made.append(...children)
  return made
}

function link(href, text) {
  const made = element('a', '', text)
  made.href = href
  return made
}

async function copy(button) {
  const code = button.parentElement.querySelector('pre code')
  try {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  } catch {
    getSelection().selectAllChildren(code)
  }
}

// A signature to send when there is no image at hand.
function draw(input) {
  const canvas = document.createElement('canvas')
  canvas.width = 240
  canvas.height = 80
  const pen = canvas.getContext('2d')
  pen.lineWidth = 3
  pen.beginPath()
  pen.moveTo(15, 55)
  pen.bezierCurveTo(50, -20, 60, 110, 95, 40)
  pen.bezierCurveTo(110, 10, 120, 80, 145, 42)
  pen.bezierCurveTo(165, 15, 170, 75, 225, 35)
  pen.stroke()
  canvas.toBlob((blob) => {
    const files = new DataTransfer()
    files.items.add(new File([blob], 'signature.png', { type: 'image/png' }))
    input.files = files.files
  }, 'image/png')
}
