/** Countries and territories of ISO 3166-1 with their names in area ids, by continent. */
const COUNTRIES: Readonly<Record<string, string>> = {
  Africa:
    'AO:Angola BF:BurkinaFaso BI:Burundi BJ:Benin BW:Botswana CD:DemocraticRepublicOfTheCongo CF:CentralAfricanRepublic ' +
    'CG:Congo CI:IvoryCoast CM:Cameroon CV:CapeVerde DJ:Djibouti DZ:Algeria EG:Egypt EH:WesternSahara ER:Eritrea ' +
    'ET:Ethiopia GA:Gabon GH:Ghana GM:Gambia GN:Guinea GQ:EquatorialGuinea GW:GuineaBissau KE:Kenya KM:Comoros LR:Liberia ' +
    'LS:Lesotho LY:Libya MA:Morocco MG:Madagascar ML:Mali MR:Mauritania MU:Mauritius MW:Malawi MZ:Mozambique NA:Namibia ' +
    'NE:Niger NG:Nigeria RE:Reunion RW:Rwanda SC:Seychelles SD:Sudan SH:SaintHelena SL:SierraLeone SN:Senegal SO:Somalia ' +
    'SS:SouthSudan ST:SaoTomeAndPrincipe SZ:Eswatini TD:Chad TG:Togo TN:Tunisia TZ:Tanzania UG:Uganda YT:Mayotte ' +
    'ZA:SouthAfrica ZM:Zambia ZW:Zimbabwe',
  Antarctica:
    'AQ:Antarctica BV:BouvetIsland GS:SouthGeorgiaAndSouthSandwichIslands HM:HeardAndMcDonaldIslands ' +
    'TF:FrenchSouthernTerritories',
  Asia:
    'AE:UnitedArabEmirates AF:Afghanistan AM:Armenia AZ:Azerbaijan BD:Bangladesh BH:Bahrain BN:Brunei BT:Bhutan ' +
    'CC:CocosKeelingIslands CN:China CX:ChristmasIsland CY:Cyprus GE:Georgia HK:HongKong ID:Indonesia IL:Israel IN:India ' +
    'IO:BritishIndianOceanTerritory IQ:Iraq IR:Iran JO:Jordan JP:Japan KG:Kyrgyzstan KH:Cambodia KP:NorthKorea ' +
    'KR:SouthKorea KW:Kuwait KZ:Kazakhstan LA:Laos LB:Lebanon LK:SriLanka MM:Myanmar MN:Mongolia MO:Macao MV:Maldives ' +
    'MY:Malaysia NP:Nepal OM:Oman PH:Philippines PK:Pakistan PS:Palestine QA:Qatar SA:SaudiArabia SG:Singapore SY:Syria ' +
    'TH:Thailand TJ:Tajikistan TL:TimorLeste TM:Turkmenistan TR:Turkey TW:Taiwan UZ:Uzbekistan VN:Vietnam YE:Yemen',
  Europe:
    'AD:Andorra AL:Albania AT:Austria AX:AlandIslands BA:BosniaAndHerzegovina BE:Belgium BG:Bulgaria BY:Belarus ' +
    'CH:Switzerland CZ:Czechia DE:Germany DK:Denmark EE:Estonia ES:Spain FI:Finland FO:FaroeIslands FR:France ' +
    'GB:UnitedKingdom GG:Guernsey GI:Gibraltar GR:Greece HR:Croatia HU:Hungary IE:Ireland IM:IsleOfMan IS:Iceland IT:Italy ' +
    'JE:Jersey LI:Liechtenstein LT:Lithuania LU:Luxembourg LV:Latvia MC:Monaco MD:Moldova ME:Montenegro MK:NorthMacedonia ' +
    'MT:Malta NL:Netherlands NO:Norway PL:Poland PT:Portugal RO:Romania RS:Serbia RU:Russia SE:Sweden SI:Slovenia ' +
    'SJ:SvalbardAndJanMayen SK:Slovakia SM:SanMarino UA:Ukraine VA:VaticanCity XK:Kosovo',
  NorthAmerica:
    'AG:AntiguaAndBarbuda AI:Anguilla AW:Aruba BB:Barbados BL:SaintBarthelemy BM:Bermuda BQ:CaribbeanNetherlands BS:Bahamas ' +
    'BZ:Belize CA:Canada CR:CostaRica CU:Cuba CW:Curacao DM:Dominica DO:DominicanRepublic GD:Grenada GL:Greenland ' +
    'GP:Guadeloupe GT:Guatemala HN:Honduras HT:Haiti JM:Jamaica KN:SaintKittsAndNevis KY:CaymanIslands LC:SaintLucia ' +
    'MF:SaintMartin MQ:Martinique MS:Montserrat MX:Mexico NI:Nicaragua PA:Panama PM:SaintPierreAndMiquelon PR:PuertoRico ' +
    'SV:ElSalvador SX:SintMaarten TC:TurksAndCaicosIslands TT:TrinidadAndTobago US:UnitedStates ' +
    'VC:SaintVincentAndGrenadines VG:BritishVirginIslands VI:USVirginIslands',
  Oceania:
    'AS:AmericanSamoa AU:Australia CK:CookIslands FJ:Fiji FM:Micronesia GU:Guam KI:Kiribati MH:MarshallIslands ' +
    'MP:NorthernMarianaIslands NC:NewCaledonia NF:NorfolkIsland NR:Nauru NU:Niue NZ:NewZealand PF:FrenchPolynesia ' +
    'PG:PapuaNewGuinea PN:PitcairnIslands PW:Palau SB:SolomonIslands TK:Tokelau TO:Tonga TV:Tuvalu UM:USOutlyingIslands ' +
    'VU:Vanuatu WF:WallisAndFutuna WS:Samoa',
  SouthAmerica:
    'AR:Argentina BO:Bolivia BR:Brazil CL:Chile CO:Colombia EC:Ecuador FK:FalklandIslands GF:FrenchGuiana GY:Guyana PE:Peru ' +
    'PY:Paraguay SR:Suriname UY:Uruguay VE:Venezuela',
}

interface Country {
  continent: string
  name: string
}

const byCode: ReadonlyMap<string, Country> = new Map(
  Object.entries(COUNTRIES).flatMap(([continent, list]) =>
    list.split(' ').map((entry): [string, Country] => {
      const [code = '', name = ''] = entry.split(':')
      return [code, { continent, name }]
    }),
  ),
)
const continents: ReadonlyMap<string, string> = new Map(
  [...byCode.values()].map(({ continent, name }) => [name, continent]),
)

/** The name in area ids of a country of ISO 3166-1; undefined if there is none. */
export const countryNamed = (code: string): string | undefined => byCode.get(code)?.name

/** The area id of a country of which only the country is known: `Asia-Japan-Japan-Japan`. */
export const areaOfCountry = (name: string): string => [continents.get(name) ?? name, name, name, name].join('-')

/** Whether there is a country of this name in area ids. */
export const isCountry = (name: string): boolean => continents.has(name)

/** The continent of a country in area ids; undefined if there is no such country. */
export const continentOf = (name: string): string | undefined => continents.get(name)

/** The names of all countries in area ids. */
export const countries = (): string[] => [...byCode.values()].map(({ name }) => name)
