/** The most common passwords of eight to twelve characters in leaked lists, in lower case. */
const COMMON = new Set(
  `12345678 123456789 1234567890 12345678910 123456789a 1234567a 12345678a 123456789q 123456abc 1234qwer 123qweasd
  123qwe123 123123123 1231231234 123321123 1qaz2wsx 1qaz2wsx3edc 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qazxsw2 12qwaszx
  0123456789 0987654321 987654321 9876543210 87654321 147258369 1472583690 147852369 159357159 159753159 741852963
  789456123 a1234567 a12345678 a123456789 aa123456 aa12345678 aaa111222 abc12345 abc123456 abc123456789 abcd1234
  abcd12345 abcd123456 abcdefgh abcdefg1 abcdefghi access14 administrator admin123 admin1234 admin12345 admin123456
  alexander asd12345 asd123456 asdasdasd asdf1234 asdfasdf asdfghjk asdfghjkl asdfghjkl1 asdfqwer baseball basketball
  batman123 bismillah butterfly changeme changeme1 changeme123 charlie1 chocolate cocacola computer computer1
  corvette danielle dearbook dragon123 elephant facebook family123 fernando football football1 football123 forever1
  fuckyou1 fuckyou123 garfield gfhjkmgfhjkm goodluck google123 hello123 hello1234 hello12345 helloworld hunter123
  iloveyou iloveyou1 iloveyou12 iloveyou123 iloveyou2 internet jennifer jessica1 jonathan jordan23 killer123 kobe8824
  letmein1 letmein123 liverpool liverpool1 lovelove loveyou1 lovely123 marlboro maverick mercedes metallica michael1
  michelle midnight minecraft monkey123 mustang1 mypassword nicholas nothing1 p4ssw0rd p4ssword p@$$w0rd p@ssw0rd
  p@ssw0rd1 p@ssw0rd12 p@ssw0rd123 p@ssword p@ssword1 p@ssword123 pa$$w0rd pa$$word parola123 pass1234 pass12345
  pass123456 passw0rd passw0rd1 passw0rd123 password password! password01 password1 password1! password11 password12
  password12! password123 password123! password1234 password2 password9 password@1 password@123 patricia pokemon1
  pokemon123 princess princess1 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 q12345678 q123456789 qazwsx123 qazwsxedc qazwsxedc123
  qq123456 qq123456789 qq12345678 qwaszx12 qwe12345 qwe123456 qwe123qwe qweasd123 qweasdzxc qweasdzxc123 qweqweqwe
  qwer1234 qwer12345 qwer123456 qwerasdf qwerqwer qwert123 qwert1234 qwert12345 qwerty01 qwerty11 qwerty12 qwerty123
  qwerty1234 qwerty12345 qwerty123456 qwertyui qwertyuio qwertyuiop qwerty78 q1q1q1q1 rainbow1 realmadrid robert123
  root1234 samantha samsung1 samsung123 scorpion secret123 security shadow123 slipknot soccer123 spiderman starwars
  starwars1 startrek sunshine sunshine1 superman superman1 superman123 swordfish test1234 test12345 test123456
  testtest tigger123 tidenet1 tidenet123 tinkerbell trustno1 undertaker user1234 victoria w1w2e3r4 welcome1 welcome1!
  welcome12 welcome123 welcome123! welcome@123 whatever whatever1 william1 winner123 woaini123 woaini1314 woaini520
  woaini521 wojiushiwo xiaoming x123456789 yankees1 z12345678 z123456789 zaq12wsx zaq1zaq1 zaq1xsw2 zx123456 zxc12345
  zxc123456 zxcvbnm1 zxcvbnm123 zxcvbnm, zxcvbnm,./ zxczxczxc !qaz2wsx !qaz@wsx 1q2w3e4r! 1qaz!qaz 1qaz@wsx abc@1234
  abc@12345 abc123!@# admin@123 qwer!@#$ qwerty!1 qwerty123! zaq!2wsx !@#$%^&* !@#$%^&*() 5201314520 52013145201
  1314520520 13145201314 1314521521 520520520 5845201314 7758521521 77585210 778852013 1123581321 112233445566 11223344
  1122334455 12341234 123412345 123454321 1234554321 12344321 12121212 123123456 12312312 123456123 123456123456
  123456654321 1234567891 12345678900 123456780 12345679 12345687 12345677 135792468 1357924680 13579246810 246813579
  22446688 31415926 314159265 321321321 456456456 456123789 963852741 998877665544 99887766 99999990`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** Common, one character or pair repeated, or a sequence such as `abcdefgh`. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase()
  if (COMMON.has(text)) return true
  if (/^(.)\1+$/.test(text) || /^(..)\1+$/.test(text)) return true
  const steps = [...text].slice(1).map((sign, index) => sign.charCodeAt(0) - text.charCodeAt(index))
  return steps.every((step) => step === 1) || steps.every((step) => step === -1)
}
