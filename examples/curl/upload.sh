# Gets a node to upload to, sends it the file, and adds the file to the account.
api="$TIDENET_URL/api/v1/storage"
me="JwtAuthorization: Bearer $TIDENET_TOKEN"
first() { grep -o "\"$1\":\"[^\"]*\"" | head -1 | cut -d'"' -f4; }
echo 'the tide goes out' > ebb.txt

info=$(curl -s "$api/get_upload_info" -H "$me")
stored=$(curl -s "$(echo "$info" | first UploadURL)" -H "Authorization: Bearer $(echo "$info" | first Token)" -F file=@ebb.txt)
cid=$(echo "$stored" | first cid)

curl -s "$api/create_asset" -H "$me" -H 'Content-Type: application/json' \
  -d "{\"asset_name\":\"ebb.txt\",\"asset_type\":\"file\",\"asset_size\":$(wc -c < ebb.txt),\"asset_cid\":\"$cid\",\"group_id\":0}"
