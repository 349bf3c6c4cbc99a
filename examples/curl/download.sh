# Gets the addresses of a file of the account, and downloads it from the first one.
api="$TIDENET_URL/api/v1/storage"
me="JwtAuthorization: Bearer $TIDENET_TOKEN"
first() { grep -o "\"$1\":\"[^\"]*\"" | head -1 | cut -d'"' -f4; }

cid=$(curl -s "$api/get_asset_group_list?parent=0&page=1" -H "$me" | first Cid)
info=$(curl -s "$api/share_asset?asset_cid=$cid" -H "$me")
curl -s "$(echo "$info" | grep -o '"url":\["[^"]*"' | cut -d'"' -f4)" -o back.txt

echo "$info"
