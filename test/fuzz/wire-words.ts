export const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')

/** What requests are made of, and what they should not be made of. */
export const WORDS: readonly string[] = [
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\r',
  ' ',
  '\u0000',
  'é',
  `${'y'.repeat(20_000)}`,
  ...': , ; 0 1 -1 5 ffffffffff GET POST PUT HEAD OPTIONS DELETE CONNECT TRACE PRI HTTP/1.0 HTTP/1.1'.split(' '),
  ...'HTTP/2.0 HTTP/9.9 chunked identity close keep-alive localhost [::1]:80 // /../ /~a /~ /~a%20b'.split(' '),
  ...'/__admin/health /invitations/x http://a/ % %00 %zz %E0%A4%A ? # && [] * __code=409 __delay=5'.split(' '),
  ...'__scenario=x access_token=secret multipart/form-data application/json'.split(' '),
  ...linesOf(`
Host: a
Host:
Connection: close
Connection: upgrade
Upgrade: websocket
Content-Length: 5
Content-Length: -1
Transfer-Encoding: chunked
Transfer-Encoding: gzip, chunked
Transfer-Encoding: identity
Transfer-Encoding: chunked, chunked
Expect: 100-continue
Expect: nonsense
Authorization: Bearer
Authorization: Bearer x y
User-Token: token-admin
Prefer: code=409
Prefer: code=999, delay=5
Prefer: "
Prefer: code="\\
Origin: null
Origin: https://app.example.test
Access-Control-Request-Method: PUT
Cookie: a=b
Range: bytes=0-1
Accept-Encoding: gzip
If-None-Match: *
Content-Type: ;;
Content-Encoding: gzip
Trailer: X
TE: trailers
 folded
X
X: é
`).map((line) => `\r\n${line}`),
]
